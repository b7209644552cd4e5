/**
 * The effect of CRS rules as evidence: requests that are stopped only because a detector finds an attack likely and
 * sound rules agree, in a zone that deploys the OWASP ruleset with its last rule off. Every collection of
 * `test/detection` is judged, so both additional detections and false positives are counted.
 */
import { CompiledZone } from '#firewall';
import { managedParts } from '#managed';
import type { RequestDescription } from '#request';
import { owaspId } from '../control/migrating-zone.ts';
import { listAttacks } from '../detection/corpus/attacks.ts';
import { listHarmlessValues } from '../detection/corpus/harmless-values.ts';
import { listDisguised } from '../detection/corpus/items/disguised.ts';
import { listAttacksInProse } from '../detection/corpus/items/in-prose.ts';
import { listPartForms } from '../detection/corpus/items/part-forms.ts';
import { listPasswords } from '../detection/corpus/items/passwords.ts';
import { listRepeatedUnits } from '../detection/corpus/items/repeated-units.ts';
import { listTexts } from '../detection/corpus/items/texts.ts';
import { listOrdinaryRequests } from '../detection/corpus/ordinary.ts';
import { createConfiguration, judgeWith, rulesetIds } from '../detection/corpus/zone.ts';
import { listLookalikes } from '../detection/measure-items.ts';

const lastRuleId = '6179ae15870a4bb7b2d480d4843b323c';

interface Collected {
  readonly request: RequestDescription;
}

const collections: Readonly<Record<string, () => readonly Collected[]>> = {
  attacks: listAttacks,
  'attacks in disguise': listDisguised,
  'attacks in prose': listAttacksInProse,
  'attacks in the forms of parts': listPartForms,
  'attacks behind a repeated unit': listRepeatedUnits,
  'ordinary requests': listOrdinaryRequests,
  'texts with code, markup and quotes': listHarmlessValues,
  'texts with the words of attacks': listLookalikes,
  passwords: () => listPasswords(20_000),
  'texts and sources of packages, commits': () => listTexts(1),
};

/** Readable lines: how many of each collection are stopped, and how many of them by evidence. */
export async function* countByEvidence(): AsyncGenerator<string> {
  const overrides = { rules: [{ id: lastRuleId, enabled: false }] };
  const executed = [{ id: rulesetIds.paid }, { id: owaspId, overrides }];
  const judge = judgeWith(new CompiledZone(createConfiguration('paid', executed), managedParts));
  for (const [name, list] of Object.entries(collections)) {
    const collected = list();
    const stopped = { alone: 0, together: 0 };
    for (const { request } of collected) {
      const by = await judge(request);
      if (by !== undefined) stopped[by.description.includes('confirmed by rules') ? 'together' : 'alone']++;
    }
    const { alone, together } = stopped;
    yield `${name}: ${alone} of ${collected.length} stopped by the managed rules alone, ${together} more with OWASP as evidence`;
  }
}
