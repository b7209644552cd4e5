import type { Field } from '../field.ts';
import { addressFields } from './address.ts';
import { bodyFields } from './body.ts';
import { connectionFields } from './connection.ts';
import { constantFields } from './constants.ts';
import { hiddenFields } from './hidden.ts';
import { intelligenceFields } from './intelligence.ts';
import { requestFields } from './request.ts';
import { responseFields } from './response.ts';

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
