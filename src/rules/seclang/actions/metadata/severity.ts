import type { ActionDefinition } from '../action.ts';

const names = ['EMERGENCY', 'ALERT', 'CRITICAL', 'ERROR', 'WARNING', 'NOTICE', 'INFO', 'DEBUG'];

export const severity: ActionDefinition = {
  name: 'severity',
  read: (draft, argument) => {
    const name = /^[0-7]$/.test(argument) ? names[Number(argument)]! : argument.toUpperCase();
    if (!names.includes(name))
      throw new RangeError(`severity needs 0 to 7 or one of ${names.join(', ')}, not "${argument}"`);
    draft.severity = name;
  },
};
