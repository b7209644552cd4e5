import { entries, packageDoors } from './tools/entries.ts';

/** The check for code that only tests use. */
export default {
  entry: [...entries.map(({ file }) => file), ...packageDoors].map((file) => `${file}!`),
  project: ['src/**/*.ts!', 'package/*.ts!'],
  ignoreDependencies: ['node'],
  ignore: [
    '**/*.test.ts',
    '**/testing.ts',
    '**/testdata/**',
    'src/rules/regex/{evil-patterns,pumped-table}.ts',
    'src/browser/page/**',
  ],
};
