/**
 * Writes an explanation as JSON, exactly as `JSON.stringify` does. Most of it are the steps, which are equal for most
 * requests of a zone: `explainJudgement` uses the same object for a step that equals the last one, and its text is
 * written only once.
 */
import type { Judged, JudgedStep } from './judged.ts';

const stepTexts = new WeakMap<JudgedStep, string>();

export function writeJudged({ version, path, steps, rules, changes, alsoDeciding }: Judged): string {
  let text = `{"version":${version}`;
  if (path !== undefined) text += `,"path":${JSON.stringify(path)}`;
  text += ',"steps":[';
  for (let index = 0; index < steps.length; index++) {
    text += index === 0 ? writeStep(steps[index]!) : `,${writeStep(steps[index]!)}`;
  }
  text += `],"rules":${JSON.stringify(rules)}`;
  if (changes !== undefined) text += `,"changes":${JSON.stringify(changes)}`;
  if (alsoDeciding !== undefined) text += `,"alsoDeciding":${JSON.stringify(alsoDeciding)}`;
  return `${text}}`;
}

function writeStep(step: JudgedStep): string {
  let text = stepTexts.get(step);
  if (text === undefined) stepTexts.set(step, (text = JSON.stringify(step)));
  return text;
}
