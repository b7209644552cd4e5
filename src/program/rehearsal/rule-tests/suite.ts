/** A suite of many files, and the values that its run needs. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { readSuiteFile, type SuiteTest } from './suite-file.ts';

/** The set-up that the authors of CRS require for their suites: every rule enabled, and the limits that they test. */
export const suiteValues: readonly (readonly [name: string, value: string])[] = [
  ['paranoia_level', '4'],
  ['blocking_paranoia_level', '4'],
  ['detection_paranoia_level', '4'],
  ['crs_validate_utf8_encoding', '1'],
  ['arg_name_length', '100'],
  ['arg_length', '400'],
  ['total_arg_length', '64000'],
  ['max_num_args', '255'],
  ['max_file_size', '64100'],
  ['combined_file_sizes', '65535'],
];

export function listSuiteFiles(path: string): readonly string[] {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.ya?ml$/.test(entry.name))
    .map(({ parentPath, name }) => join(parentPath, name))
    .toSorted();
}

export function readSuite(path: string): readonly SuiteTest[] {
  if (!statSync(path).isDirectory()) return readSuiteFile(readFileSync(path, 'utf8'), path);
  return listSuiteFiles(path).flatMap((file) =>
    readSuiteFile(readFileSync(file, 'utf8'), relative(path, file)),
  );
}
