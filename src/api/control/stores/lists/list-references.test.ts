import { deepEqual } from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { runAtOnce } from '#work';
import type { Ruleset, RulesetRule } from '#rulesets';
import { createRuntime, DurableObject } from '#objects';
import { filterTable } from '../filters.ts';
import { RulesetStore, rulesetTables } from '../rulesets.ts';
import { type References, countReferencesInAccount, countReferencesInZone } from './list-references.ts';

const last_updated = '2024-01-20T14:29:00.190643Z';

class Probe extends DurableObject {
  begin(): void {
    for (const table of [filterTable, ...rulesetTables]) table.create(this.ctx.storage.sql);
  }

  addFilters(expressions: readonly string[]): void {
    for (const expression of expressions)
      filterTable.insert(this.ctx.storage.sql, {
        id: expression,
        expression,
        isPaused: true,
        description: null,
        ref: null,
        isInline: false,
      });
  }

  putRuleset(version: string, expressions: readonly string[]): void {
    const rules = expressions.map((expression, index): RulesetRule => {
      const id = `rule ${index}`;
      return { id, version, action: 'block', expression, last_updated, ref: id, enabled: false };
    });
    const phase = 'http_request_firewall_custom';
    const head = { id: 'a', name: 'a', description: '', kind: 'root', version } as const;
    const ruleset: Ruleset = { ...head, rules, last_updated, phase };
    new RulesetStore(this.ctx.storage.sql).put(ruleset, { text: JSON.stringify(ruleset), bytes: 1 });
  }

  references(names: readonly string[]): References[] {
    const { sql } = this.ctx.storage;
    return [runAtOnce(countReferencesInZone(sql, names)), countReferencesInAccount(sql, names)];
  }
}

test('countReferencesInZone counts filters and rules that name a list, not what only looks like its name', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'gatehouse-lists-'));
  const runtime = await createRuntime({ directory, classes: { Probe: { class: Probe, storage: 'sql' } } });
  const probe = runtime.namespace<Probe>('Probe').getByName('probe');
  await probe.begin();
  await probe.addFilters([
    'ip.src in $office',
    'ip.src in $office_vpn',
    'http.host eq "$office"',
    'not (ip.src in $office_vpn or ssl and ip.src in$office)',
  ]);
  await probe.putRuleset('1', [
    '(ip.src in $office) and cf.zone.plan eq "ENT"',
    'ip.src in $office and not ip.src in $office',
    'http.host eq "$office_vpn"',
  ]);
  deepEqual(await probe.references(['office', 'office_vpn', 'offic']), [
    { office: 4, office_vpn: 2, offic: 0 },
    { office: 2, office_vpn: 0, offic: 0 },
  ]);
  // Earlier versions do not protect a list from deletion.
  await probe.putRuleset('2', ['ip.src in $constructor']);
  deepEqual(await probe.references(['office', 'constructor']), [
    { office: 2, constructor: 1 },
    { office: 0, constructor: 1 },
  ]);
  await runtime.close();
  await rm(directory, { recursive: true });
});
