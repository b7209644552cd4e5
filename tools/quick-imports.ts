/** Finds modules of tests quickly, too: loaded before every test file, and by the programs that tests start. */
import { importQuickly } from '../src/foundation/base/program/quick-imports.ts';

importQuickly(['../test/', './'].map((folder) => new URL(folder, import.meta.url).href));
