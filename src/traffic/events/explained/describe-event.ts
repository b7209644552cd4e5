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
export function describeEvent(event: SecurityEvent, judged: Judged | undefined): string {
  const rule = judged?.rules.find((each) => isRuleOf(each, event));
  const name = event.description || event.ref || event.ruleId;
  return `${describeAction(event.action)}: ${rule === undefined ? describeRule(name) : describeReason(rule, name)}.`;
}

function describeAction(action: string): string {
  const deed = deeds[action];
  if (deed !== undefined) return deed;
  if (action.endsWith('solved')) return 'Let through, the challenge was solved';
  if (action.endsWith('failed')) return 'Stopped, the challenge was not solved';
  return action.includes('challenge') ? 'Challenged' : action;
}

function describeReason({ rate, asked, score, evidence, tree }: JudgedRule, name: string): string {
  if (asked !== undefined) return `the rule ${JSON.stringify(name)} ${asked}`;
  if (rate !== undefined) return `too many requests, ${rate}`;
  if (evidence !== undefined)
    return `${describeMatches(tree, name)}; that is likely an attack, and rules that score ${evidence.total} confirm it`;
  if (score === undefined) return describeMatches(tree, name);
  const { total, threshold, contributions } = score;
  const [most] = contributions.toSorted((a, b) => b.score - a.score);
  const reason =
    most === undefined ? describeRule(name) : describeMatches(most.tree, most.description || most.ruleId);
  return `the score is ${total}, ${threshold} is enough; ${reason}`;
}

function describeMatches(tree: JudgedPart | undefined, name: string): string {
  const found = tree === undefined ? [] : listFound(tree);
  const told =
    found.find(({ why }) => why !== undefined) ?? found.find(({ where }) => where !== undefined) ?? found[0];
  return told === undefined ? describeRule(name) : describeMatch(told, name);
}

function describeRule(name: string): string {
  return `the rule ${JSON.stringify(name)} matches`;
}

/** The detector's description precedes the name of the rule, which names only the kind of attack. */
function describeMatch({ text, where, field, why }: FoundMatch, name: string): string {
  const cut = text.length > matchCharactersMax ? `${text.slice(0, matchCharactersMax)}…` : text;
  const place = where === undefined ? (field ?? 'the request') : describePlace(where);
  return `${place} ${why === undefined ? `matches ${JSON.stringify(name)}` : `has ${why}`}: ${JSON.stringify(cut)}`;
}

function describePlace({ kind, name }: JudgedPlace): string {
  return name === '' ? `the ${kind}` : `the ${kind} ${JSON.stringify(name)}`;
}
