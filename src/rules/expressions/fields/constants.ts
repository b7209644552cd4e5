/** Names for constants: `true` as a whole expression matches everything. */
import { boolType } from '../types.ts';
import { defineFields } from './define.ts';

export const constantFields = defineFields({ filledBy: 'constant' }, [
  ['true', boolType, 'Matches everything.', true],
  ['false', boolType, 'Matches nothing.', false],
]);
