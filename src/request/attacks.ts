/** What the detectors find in a request: the surest finding of each kind, and the part of the request that it is in. */
import { copyBytes, spendSteps } from '#base';
import { type AttackKind, type Finding, inspectMarkup, inspectName, inspectText } from '#detection';
import { visitRequest, type VisitedRequest } from './arguments/request-values.ts';
import type { PartKind } from './named-part.ts';

interface PlacedFinding extends Finding {
  readonly place: PartKind;
  /** The argument, cookie, header or field; a pointer for parts of JSON, empty for the path. */
  readonly name: string;
}

export type Attacks = ReadonlyMap<AttackKind, PlacedFinding>;

/** What looking at one value takes, however short it is. */
const stepsPerValue = 60;

export function findAttacks(request: VisitedRequest): Attacks {
  const found = new Map<AttackKind, PlacedFinding>();
  const add = (findings: readonly Finding[], place: PartKind, getName: () => string): void => {
    for (const finding of findings) {
      if (finding.confidence > (found.get(finding.kind)?.confidence ?? 0))
        found.set(finding.kind, { ...finding, place, name: getName() });
    }
  };
  const inspect = (place: PartKind, getName: () => string, value: string): void => {
    if (value.length < 2) return;
    spendSteps(stepsPerValue);
    add(place === 'header' ? inspectHeader(value) : inspectText(value), place, getName);
  };
  visitRequest(request, {
    value: inspect,
    name: (place, name) => {
      if (plainName.test(name) && name !== '__proto__') return;
      const getName = (): string => name;
      inspect(place, getName, name);
      add(inspectName(name), place, getName);
    },
    document: (text) => add(inspectMarkup(text), 'body', () => ''),
  });
  return found;
}

const plainName = /^[\w-]*$/;

/** Clients send the same headers with every request: what was looked at once need not be looked at again. */
const harmlessMax = 2_000;
const harmlessCharactersMax = 400;
const harmless = new Set<string>();

function inspectHeader(value: string): readonly Finding[] {
  if (value.length > harmlessCharactersMax) return inspectText(value);
  if (harmless.has(value)) return [];
  const findings = inspectText(value);
  if (findings.length === 0) {
    if (harmless.size >= harmlessMax) harmless.clear();
    harmless.add(copyBytes(value));
  }
  return findings;
}
