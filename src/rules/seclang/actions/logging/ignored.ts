/** Actions about logs and files that other engines write: accepted, because what they ask for is always or never done. */
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
