/** Every action, by the name that a rule writes, in lower case. */
import type { Phase } from '../phase.ts';
import type { ReadAction } from './action.ts';
import { expirevar, initcol, setenv, setvar } from './collections.ts';
import { ctl } from './ctl.ts';

const phases: Readonly<Record<string, Phase>> = {
  1: 1,
  2: 2,
  3: 3,
  4: 4,
  5: 5,
  request: 2,
  response: 4,
  logging: 5,
};

const severities = ['EMERGENCY', 'ALERT', 'CRITICAL', 'ERROR', 'WARNING', 'NOTICE', 'INFO', 'DEBUG'];

const aboutRule: Readonly<Record<string, ReadAction>> = {
  id: (draft, argument) => {
    if (!/^\d{1,15}$/.test(argument)) throw new RangeError(`id needs a number, not "${argument}"`);
    draft.id = Number(argument);
  },
  phase: (draft, argument) => {
    const found = phases[argument.toLowerCase()];
    if (found === undefined)
      throw new RangeError(`phase needs 1 to 5, request, response or logging, not "${argument}"`);
    draft.phase = found;
  },
  severity: (draft, argument) => {
    const name = /^[0-7]$/.test(argument) ? severities[Number(argument)]! : argument.toUpperCase();
    if (!severities.includes(name))
      throw new RangeError(`severity needs 0 to 7 or one of ${severities.join(', ')}, not "${argument}"`);
    draft.severity = name;
  },
  logdata: (draft, argument) => void (draft.logData = argument),
  msg: (draft, argument) => void (draft.message = argument),
  tag: (draft, argument) => void draft.tags.push(argument),
  ver: (draft, argument) => void (draft.version = argument),
  log: (draft) => void (draft.isLogged = true),
  nolog: (draft) => void (draft.isLogged = false),
};

const aboutMatching: Readonly<Record<string, ReadAction>> = {
  capture: (draft) => void (draft.captures = true),
  chain: (draft) => void (draft.isChained = true),
  /** Runs the operator on the value after each transformation, not only after the last. */
  multimatch: (draft) => void (draft.isMultiMatch = true),
  t: (draft, argument) => {
    const name = argument.toLowerCase();
    if (name === 'none') {
      draft.transformations = [];
      draft.dropsTransformations = true;
    } else {
      draft.transformations.push(name);
    }
  },
};

const aboutFlow: Readonly<Record<string, ReadAction>> = {
  allow: (draft, argument) => {
    const scope = argument === '' ? 'all' : argument.toLowerCase();
    if (scope !== 'all' && scope !== 'phase' && scope !== 'request')
      throw new RangeError(`allow needs phase, request or nothing, not "${argument}"`);
    draft.disruption = 'allow';
    draft.allowScope = scope;
  },
  /** Applies the action of the phase's SecDefaultAction. */
  block: (draft) => void (draft.disruption = 'block'),
  deny: (draft) => void (draft.disruption = 'deny'),
  /** Closes the connection without a response. */
  drop: (draft) => void (draft.disruption = 'drop'),
  pass: (draft) => void (draft.disruption = 'pass'),
  redirect: (draft, argument) => {
    draft.disruption = 'redirect';
    draft.location = argument;
  },
  skip: (draft, argument) => {
    if (!/^\d{1,6}$/.test(argument)) throw new RangeError(`skip needs a number of rules, not "${argument}"`);
    draft.skip = Number(argument);
  },
  skipafter: (draft, argument) => void (draft.skipAfter = argument),
  status: (draft, argument) => {
    if (!/^[1-5]\d\d$/.test(argument)) throw new RangeError(`status needs a status code, not "${argument}"`);
    draft.status = Number(argument);
  },
};

const aboutRequest: Readonly<Record<string, ReadAction>> = { ctl, expirevar, initcol, setenv, setvar };

/**
 * Actions about logs and files that other engines write: accepted, because the requested behaviour always or never
 * applies here.
 */
const ignored = [
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

export const actions: ReadonlyMap<string, ReadAction> = new Map([
  ...[aboutRule, aboutMatching, aboutFlow, aboutRequest].flatMap((group) => Object.entries(group)),
  ...ignored.map((name): [string, ReadAction] => [name, () => {}]),
]);
