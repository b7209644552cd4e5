/** Fields that only functions read. */
import type { Field } from '../field.ts';
import { boolType, mapOf } from '../types.ts';
import { defineFields } from './define.ts';

const rows = defineFields({ filledBy: 'proxy' }, [
  ['gatehouse.jwt.present', mapOf(boolType), 'Whether there is a token, by token configuration.'],
  ['gatehouse.jwt.valid', mapOf(boolType), 'Whether the token is valid, by token configuration.'],
]);

export const hiddenFields: readonly Field[] = rows.map((field) => ({ ...field, isHidden: true }));
