/**
 * Judges a request once for each reading: every way in which origins may read its path and applications its body. The
 * strictest result counts, and all readings together share the budget of one request.
 */
import type { StepBudget } from '#work';
import { RequestView } from '#expressions';
import {
  addUnreadable,
  type CompiledZone,
  findSettings,
  isStricter,
  joinJudgements,
  type RunSettings,
} from '#firewall';
import { RequestFields } from '#request';
import { createFacts } from './request-facts.ts';
import type { JudgedRequest, ReadRequest } from './judged-request.ts';

/** Bytes of the body that rules inspect, summed over its readings: the budget of a request grows with them. */
export function countBodyBytes({ body }: Pick<ReadRequest, 'body'>): number {
  return body?.texts.reduce((sum, { length }) => sum + length, 0) ?? 0;
}

export type JudgedExtent = Pick<RunSettings, 'rates' | 'until'> & { readonly budget: StepBudget };

export function judgeReadings(zone: CompiledZone, read: ReadRequest, extent: JudgedExtent): JudgedRequest {
  const [first, ...others] = read.readings.paths;
  const { budget } = extent;
  let strictest = judgeTexts(zone, read, { path: first, ...extent });
  for (const path of others) {
    if (strictest.judgement.verdict.kind !== 'pass' || budget.exceeded !== undefined) break;
    const other = judgeTexts(zone, read, { path, ...extent });
    if (isStricter(other.judgement, strictest.judgement)) strictest = other;
  }
  if (read.before === undefined) return strictest;
  return { ...strictest, judgement: joinJudgements(read.before, strictest.judgement) };
}

function judgeTexts(
  zone: CompiledZone,
  { request, body, geo, clearance, before, readings: { query } }: ReadRequest,
  { path, ...extent }: JudgedExtent & { readonly path: string },
): JudgedRequest {
  const { zone: named, edge } = zone.configuration;
  const settings = findSettings(before?.changes);
  const judgeAs = (text: string): JudgedRequest => {
    const shown = body && { text, size: body.size, isTruncated: body.isTruncated };
    const facts = createFacts({ request, zone: named, path, query, body: shown, geo, learned: zone.learned });
    const fields = new RequestFields(facts);
    const judgement = zone.judge({ view: new RequestView(fields), clearance, settings, ...extent });
    return { by: 'rules', request, zone, facts, judgement, geo, hasFindings: fields.hasFindings };
  };
  const [first = '', ...others] = body?.texts ?? [];
  let strictest = judgeAs(first);
  for (const text of others) {
    if (strictest.judgement.verdict.kind !== 'pass' || extent.budget.exceeded !== undefined) break;
    const other = judgeAs(text);
    if (isStricter(other.judgement, strictest.judgement)) strictest = other;
  }
  return { ...strictest, judgement: addUnreadable(strictest.judgement, edge, body?.unreadable) };
}
