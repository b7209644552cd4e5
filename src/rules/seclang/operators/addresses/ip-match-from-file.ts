import type { OperatorDefinition } from '../operator.ts';
import { readLines } from '../pm-from-file.ts';
import { forNetworks } from './ip-match.ts';

export const ipMatchFromFile: OperatorDefinition = {
  name: 'ipmatchfromfile',
  prepare: ({ source }, context) => forNetworks(readLines(context.readFile(source.trim()))),
};
