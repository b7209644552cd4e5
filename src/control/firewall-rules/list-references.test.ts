import { deepEqual } from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createRuntime, DurableObject } from '#objects';
import { type Filter, FilterStore, filterTables } from '../filters/filter-store.ts';
import { type FirewallRule, FirewallRuleStore, firewallRuleTables } from './firewall-rule-store.ts';
import { type ListReferences, listReferences } from './list-references.ts';

const expressions = {
  office: 'ip.src in $office',
  vpn: 'ip.src in $office_vpn',
  text: 'http.host eq "$office"',
  both: 'not (ip.src in $office_vpn or ssl and ip.src in$office)',
};

class Probe extends DurableObject {
  fill(): void {
    const { sql } = this.ctx.storage;
    for (const table of [...filterTables, ...firewallRuleTables]) sql.exec(table);
    for (const [id, expression] of Object.entries(expressions)) {
      const filter: Filter = {
        ...{ id, expression, isPaused: false, description: null, ref: null, isInline: false },
      };
      new FilterStore(sql).add(filter);
      if (id === 'office') continue;
      const rule: FirewallRule = {
        ...{ id: `rule of ${id}`, filterId: id, filter, action: 'block', products: [], priority: null },
        ...{ isPaused: true, description: null, ref: null, createdOn: '', modifiedOn: '' },
      };
      new FirewallRuleStore(sql).add(rule);
    }
  }

  references(name: string): ListReferences {
    return listReferences(this.ctx.storage.sql, name);
  }
}

test('listReferences finds the filters that name a list, used or not, and their rules', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'gatehouse-lists-'));
  const runtime = await createRuntime({ directory, classes: { Probe: { class: Probe, storage: 'sql' } } });
  try {
    const probe = runtime.namespace<Probe>('Probe').getByName('probe');
    await probe.fill();
    deepEqual(await probe.references('office'), {
      filterIds: ['office', 'both'],
      ruleIds: ['rule of both'],
    });
    deepEqual(await probe.references('office_vpn'), {
      filterIds: ['vpn', 'both'],
      ruleIds: ['rule of vpn', 'rule of both'],
    });
    deepEqual(await probe.references('offic'), { filterIds: [], ruleIds: [] });
  } finally {
    await runtime.close();
    await rm(directory, { recursive: true });
  }
});
