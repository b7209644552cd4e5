import type { Field } from '../field.ts';
import { addressFields } from './address.ts';
import { bodyFields } from './body.ts';
import { connectionFields } from './connection.ts';
import { intelligenceFields } from './intelligence.ts';
import { requestFields } from './request.ts';
import { responseFields } from './response.ts';
import { boolType, mapOf } from '../types.ts';
import { defineFields } from './define.ts';

/** Names for constants: `true` as a whole expression matches everything. */
const constantFields = defineFields({ filledBy: 'constant' }, [
  ['true', boolType, 'Matches everything.', true],
  ['false', boolType, 'Matches nothing.', false],
]);

/** Fields that only functions read. */
const rows = defineFields({ filledBy: 'proxy' }, [
  ['gatehouse.jwt.present', mapOf(boolType), 'Whether there is a token, by token configuration.'],
  ['gatehouse.jwt.valid', mapOf(boolType), 'Whether the token is valid, by token configuration.'],
]);

const hiddenFields: readonly Field[] = rows.map((field) => ({ ...field, isHidden: true }));

export const fields: readonly Field[] = [
  ...constantFields,
  ...requestFields,
  ...addressFields,
  ...bodyFields,
  ...connectionFields,
  ...intelligenceFields,
  ...responseFields,
  ...hiddenFields,
];
