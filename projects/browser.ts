/** A page of a program in a real Chromium: the errors of its scripts, and the visible text. */
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../test/dashboard/launch-browser.ts';
import type { Answer } from './questions.ts';

let browser: Promise<Browser> | undefined;

/** Icons that browsers request, and programs do not have. */
const missing = /^Failed to load resource: .* 404/;

export async function readInBrowser(url: string): Promise<Answer> {
  browser ??= launchBrowser();
  const page = await (await browser).newPage();
  const problems: string[] = [];
  page.on('pageerror', (error) => void problems.push(String(error)));
  page.on('console', (message) => {
    const text = message.text();
    if (message.type() === 'error' && !missing.test(text)) problems.push(text);
  });
  try {
    const response = await page.goto(url, { waitUntil: 'networkidle' });
    const seen = await page.evaluate('document.body.innerText');
    const text = `${problems.length === 0 ? 'no errors' : problems.join('\n')}\n${String(seen)}`;
    return { status: response!.status(), type: 'a page in a browser', location: null, text };
  } finally {
    await page.close();
  }
}

/** Without it the process does not end. */
export async function closeBrowser(): Promise<void> {
  await (await browser)?.close();
  browser = undefined;
}
