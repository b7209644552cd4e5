/** Describes an event in one sentence: what happened to the request, and which part of it was the reason. */
import type { SecurityEvent } from '../event.ts';
import type { FoundMatch, Judged, JudgedPart, JudgedPlace, JudgedRule } from '../judged/judged.ts';
import { listFound } from '../judged/summary.ts';
import { isRuleOf } from './excepted.ts';

const deeds: Readonly<Record<string, string>> = {
  block: 'Blocked',
  log: 'Logged',
  simulate: 'Logged',
  allow: 'Allowed',
  bypass: 'Let past other rules',
  skip: 'Let past other rules',
  connection_close: 'Cut off',
};

/** Longer matches add no information: the request shows them whole. */
const matchCharactersMax = 80;

/** `Blocked: the argument "file" has the path of a file of the system: "/etc/passwd".` */
export function tellEvent(event: SecurityEvent, judged: Judged | undefined): string {
  const rule = judged?.rules.find((each) => isRuleOf(each, event));
  const name = event.description || event.ref || event.ruleId;
  return `${tellDeed(event.action)}: ${rule === undefined ? tellRule(name) : tellReason(rule, name)}.`;
}

function tellDeed(action: string): string {
  const deed = deeds[action];
  if (deed !== undefined) return deed;
  if (action.endsWith('solved')) return 'Let through, the challenge was solved';
  if (action.endsWith('failed')) return 'Stopped, the challenge was not solved';
  return action.includes('challenge') ? 'Challenged' : action;
}

function tellReason({ rate, asked, score, evidence, tree }: JudgedRule, name: string): string {
  if (asked !== undefined) return `the rule ${JSON.stringify(name)} ${asked}`;
  if (rate !== undefined) return `too many requests, ${rate}`;
  if (evidence !== undefined)
    return `${tellFound(tree, name)}; that is likely an attack, and rules that score ${evidence.total} confirm it`;
  if (score === undefined) return tellFound(tree, name);
  const { total, threshold, contributions } = score;
  const [most] = contributions.toSorted((a, b) => b.score - a.score);
  const reason = most === undefined ? tellRule(name) : tellFound(most.tree, most.description || most.ruleId);
  return `the score is ${total}, ${threshold} is enough; ${reason}`;
}

function tellFound(tree: JudgedPart | undefined, name: string): string {
  const found = tree === undefined ? [] : listFound(tree);
  const told =
    found.find(({ why }) => why !== undefined) ?? found.find(({ where }) => where !== undefined) ?? found[0];
  return told === undefined ? tellRule(name) : tellMatch(told, name);
}

function tellRule(name: string): string {
  return `the rule ${JSON.stringify(name)} matches`;
}

/** The detector's description precedes the name of the rule, which names only the kind of attack. */
function tellMatch({ text, where, field, why }: FoundMatch, name: string): string {
  const cut = text.length > matchCharactersMax ? `${text.slice(0, matchCharactersMax)}…` : text;
  const place = where === undefined ? (field ?? 'the request') : tellPlace(where);
  return `${place} ${why === undefined ? `matches ${JSON.stringify(name)}` : `has ${why}`}: ${JSON.stringify(cut)}`;
}

function tellPlace({ kind, name }: JudgedPlace): string {
  return name === '' ? `the ${kind}` : `the ${kind} ${JSON.stringify(name)}`;
}
