/** Imports a bundle's edge settings. An import that merges only sets what the zone has never set itself. */
import { isDeepStrictEqual } from 'node:util';
import { bundleCodes, entryOf } from '#contract';
import { edgeHandlers, toEdgeJson } from '../edge/edge-handlers.ts';
import { toNormalizationJson, urlNormalizationHandlers } from '../settings/url-normalization-handlers.ts';
import { defaultEdgeSettings, readEdgeSettings } from '../../stores/edge.ts';
import type { Bundle } from './bundle-part.ts';
import { type ImportRun, runWithin } from './import-run.ts';

type EdgePart = NonNullable<Bundle['edge']>;
type NormalizationPart = NonNullable<Bundle['url_normalization']>;

export function importEdge(run: ImportRun, body: EdgePart): void {
  const { context } = run;
  const own = toEdgeJson(readEdgeSettings(context.sql));
  importPart(run, {
    kind: 'edge',
    what: 'the edge settings of the zone',
    isSame: isDeepStrictEqual({ ...own, ...body }, own),
    isUnset: isDeepStrictEqual(own, toEdgeJson(defaultEdgeSettings)),
    take: () => edgeHandlers['edge.update'](context, { path: {}, query: {}, body }),
  });
}

export function importUrlNormalization(run: ImportRun, body: NormalizationPart): void {
  const { context } = run;
  const own = readEdgeSettings(context.sql);
  importPart(run, {
    kind: 'url_normalization',
    what: 'the URL normalization of the zone',
    isSame: isDeepStrictEqual(toNormalizationJson(own), body),
    isUnset: own.urlNormalization === undefined,
    take: () => urlNormalizationHandlers['urlNormalization.update'](context, { path: {}, query: {}, body }),
  });
}

interface Part {
  readonly kind: 'edge' | 'url_normalization';
  readonly what: string;
  readonly isSame: boolean;
  readonly isUnset: boolean;
  take(): unknown;
}

function importPart(run: ImportRun, { kind, what, isSame, isUnset, take }: Part): void {
  const { context, mode } = run;
  const tally = run.getTally(kind);
  if (isSame) tally.kept++;
  else if (mode === 'merge' && !isUnset) {
    tally.kept++;
    context.addMessage(entryOf(bundleCodes.bundleKept, { fill: { what } }));
  } else {
    runWithin(`/${kind}`, take);
    tally[isUnset ? 'added' : 'changed']++;
  }
}
