/**
 * Speeds up the resolution of modules in tests: loaded before every test file, and by the programs that tests start.
 */
import { importQuickly } from '../src/foundation/base/program/quick-imports.ts';

importQuickly(['../test/', './'].map((folder) => new URL(folder, import.meta.url).href));
