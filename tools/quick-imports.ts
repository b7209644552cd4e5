/**
 * Speeds up the resolution of modules in tests: loaded before every test file, and by the programs that tests start.
 */
import { importQuickly } from '#base';

importQuickly(['../test/', './'].map((folder) => new URL(folder, import.meta.url).href));
