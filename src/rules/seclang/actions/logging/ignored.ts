/**
 * Actions about logs and files that other engines write: accepted, because the requested behaviour always or never
 * applies here.
 */
import type { ActionDefinition } from '../action.ts';

const names = [
  'accuracy',
  'append',
  'auditlog',
  'deprecatevar',
  'maturity',
  'noauditlog',
  'pause',
  'prepend',
  'rev',
  'sanitisearg',
  'sanitisematched',
  'sanitisematchedbytes',
  'sanitiserequestheader',
  'sanitiseresponseheader',
  'xmlns',
];

export const ignoredActions: readonly ActionDefinition[] = names.map((name) => ({
  name,
  read: () => undefined,
}));
