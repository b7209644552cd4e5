import type { OperationId } from '#contract';
import type { ResourceFamily, ResourceRow } from '../resource-row.ts';

const summaryColumns = ['id', 'kind', 'phase', 'version', 'name', 'last_updated'];
const tables = { rules: ['id', 'action', 'enabled', 'expression', 'description'] };

type Verb = Extract<OperationId, `rulesets.${string}`> extends `rulesets.${infer V}` ? V : never;

/** Rulesets of zones and of the account have the same operations. */
function atBothLevels(
  name: string,
  verb: Verb,
  more: Omit<ResourceRow, 'name' | 'operation' | 'accountOperation'> = {},
): ResourceRow {
  return {
    name: `rulesets ${name}`,
    operation: `rulesets.${verb}`,
    accountOperation: `accountRulesets.${verb}`,
    ...more,
  };
}

export const rulesetFamily: ResourceFamily = {
  summary: 'Rulesets of a zone or of the account, with their versions.',
  rows: [
    atBothLevels('list', 'list', { columns: summaryColumns }),
    atBothLevels('get', 'get', { tables }),
    atBothLevels('create', 'create', { tables }),
    atBothLevels('update', 'update', { tables, current: { operation: 'rulesets.get' } }),
    atBothLevels('delete', 'delete'),
    atBothLevels('add-rule', 'addRule', { tables }),
    atBothLevels('update-rule', 'editRule', {
      tables,
      current: { operation: 'rulesets.get', within: 'rules' },
    }),
    atBothLevels('delete-rule', 'deleteRule', { tables }),
    atBothLevels('entrypoint', 'getEntryPoint', { tables }),
    atBothLevels('set-entrypoint', 'updateEntryPoint', { tables }),
    atBothLevels('versions', 'listVersions', { columns: summaryColumns }),
    atBothLevels('version', 'getVersion', { tables }),
    atBothLevels('delete-version', 'deleteVersion'),
    atBothLevels('diff', 'diffVersions', {
      tables: {
        fields: ['field', 'before', 'after'],
        added: tables.rules,
        removed: tables.rules,
        changed: ['id', 'fields'],
        moved: ['id', 'from', 'to'],
      },
    }),
    atBothLevels('restore', 'restoreVersion', { tables }),
  ],
};
