/**
 * `npm run verify -- pictures`: walks over every page and dialog of a demo at three widths in both themes. It writes a picture of each into
 * `out/pictures`, looks for faults of accessibility and for what is wider than the window, and fails when a picture is not the one
 * that was accepted.
 *
 *     npm run verify -- pictures                          compares
 *     npm run verify -- pictures --accept              takes what there is for right, once you have looked at it
 *     npm run verify -- pictures --only activity,list  only the stops with one of these in their name
 *     npm run verify -- pictures --width 390           only at this width
 *     npm run verify -- pictures --documents           also takes the pictures of README.md and of the tour again, with the fonts of the machine
 */
import './still-clock.ts';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { readOptions } from '../../../tools/read-options.ts';
import { findFaults } from '../browser-windows.ts';
import { compareWithAccepted, writeAccepted } from './accepted.ts';
import { openSampleSite } from './sample-site.ts';
import { type Stop, stops } from './stops.ts';
import { keepDescriptions, type Seen, Walker } from './walker.ts';

const root = join(import.meta.dirname, '../../..');
const folder = join(root, 'out/pictures');
const allWidths = [390, 1024, 1440];
const themes = ['light', 'dark'] as const;

/** Those of the documents: the name of the file, the stop and the width. */
const documents: readonly (readonly [file: string, stop: string, width: number])[] = [
  ['sites', 'sites', 1440],
  ['overview', 'overview', 1440],
  ['overview-phone', 'overview', 390],
  ['activity', 'activity', 1440],
  ['event', 'event', 1440],
  ['rules', 'custom-rules', 1440],
  ['review', 'migration-review', 1440],
  ['validation', 'migration-validation', 1440],
];

const options = readOptions(
  'npm run verify -- pictures [--accept] [--only NAME] [--width PIXELS] [--documents]',
  {
    accept: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    width: { type: 'string', default: '' },
    documents: { type: 'boolean', default: false },
  },
);
const widths = allWidths.filter((width) => options.width === '' || width === Number(options.width));
const chosen = stops.filter(({ name }) => options.only.split(',').some((part) => name.includes(part)));
const problems: string[] = [];
const seen: Seen[] = [];

/** A page that does not show the expected content by then is a problem, and the walk continues. */
const stopMsMax = 60_000;

/** Chromium crashes when it has to draw a page that is much taller. */
const heightMax = 3_000;

function shown(width: number): { x: number; y: number; width: number; height: number } {
  return { x: 0, y: 0, width, height: heightMax };
}

async function visit(walker: Walker, stop: Stop, width: number): Promise<void> {
  await walker.goTo(stop);
  for (const theme of themes) {
    const looked = await walker.look(stop, theme);
    if (stop.varies !== true && !seen.some(({ name }) => name === looked.name)) seen.push(looked);
    const faults = width === 1024 ? [] : await findFaults(walker.page);
    if (faults.length > 0) problems.push(`${looked.name}: ${JSON.stringify(faults)}`);
    await walker.page.screenshot({
      path: join(folder, `${looked.name}.png`),
      fullPage: true,
      clip: shown(width),
    });
  }
  await walker.checkWidth(stop).catch(({ message }: Error) => problems.push(`${message} (${width})`));
}

/** A browser that crashes is restarted at the same stop. */
async function walk(width: number, left: readonly Stop[], restartsMax = 3): Promise<void> {
  await using sample = await openSampleSite({ hasOwnFonts: true, isWhole: true });
  const walker = await Walker.open(sample, width);
  walker.page.setDefaultTimeout(stopMsMax);
  let isIn = false;
  for (const [index, stop] of left.entries()) {
    try {
      if (!isIn && stop.isOutside !== true) await walker.signIn();
      isIn = stop.isOutside !== true;
      await visit(walker, stop, width);
      isIn &&= stop.endsSession !== true;
    } catch (error) {
      if (restartsMax === 0) throw error;
      if (!String(error).includes('has been closed')) {
        problems.push(`${stop.name}: ${String(error).split('\n').slice(0, 3).join(' ')} (${width})`);
        continue;
      }
      console.log(`the browser ended at ${stop.name}; it is started again`);
      return await walk(width, left.slice(index), restartsMax - 1);
    }
  }
  try {
    sample.site.checkConsole();
  } catch (error) {
    problems.push(`${String(error)} (${width})`);
  }
  console.log(`${chosen.length} pages and dialogs at ${width} pixels`);
}

async function takeDocuments(): Promise<void> {
  await using sample = await openSampleSite();
  for (const width of new Set(documents.map(([, , each]) => each))) {
    const walker = await Walker.open(sample, width);
    await walker.signIn();
    for (const [file, name] of documents.filter(([, , each]) => each === width)) {
      const stop = stops.find((each) => each.name === name)!;
      await walker.goTo(stop);
      await walker.look(stop, 'light');
      const bytes = await toWebp(walker.page, await walker.page.screenshot());
      writeFileSync(join(root, 'docs/pictures', `${file}.webp`), bytes);
    }
  }
}

/** A third of the size; the browser can do it, in a page without a policy. */
async function toWebp(page: Page, png: Buffer): Promise<Buffer> {
  const blank = await page.context().newPage();
  const text = await blank.evaluate(
    async (source) => {
      const { createImageBitmap, OffscreenCanvas } = globalThis as any;
      const image = await createImageBitmap(await (await fetch(source)).blob());
      const canvas = new OffscreenCanvas(image.width, image.height);
      canvas.getContext('2d').drawImage(image, 0, 0);
      const blob: Blob = await canvas.convertToBlob({ type: 'image/webp', quality: 0.85 });
      return Array.from(new Uint8Array(await blob.arrayBuffer()));
    },
    `data:image/png;base64,${png.toString('base64')}`,
  );
  await blank.close();
  return Buffer.from(text);
}

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
for (const width of widths) await walk(width, chosen);
if (options.documents) await takeDocuments();
if (options.accept) writeAccepted(seen, options.only === '' && options.width === '');
const changes = compareWithAccepted(seen);
const isChanged = new Set(changes.map((change) => change.split(' ')[0]));
keepDescriptions(seen.filter(({ name }) => !isChanged.has(name)));
for (const problem of [...problems, ...changes]) console.error(problem);
if (changes.length > 0)
  console.error(
    `${changes.length} of ${seen.length} pictures are not as accepted. Look at them in out/pictures, then: npm run verify -- pictures --accept`,
  );
console.log(`${seen.length} pictures in out/pictures, ${problems.length} problems`);
process.exit(problems.length + changes.length > 0 ? 1 : 0);
