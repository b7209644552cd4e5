import { family } from '../resource-row.ts';

const summary = 'id kind phase version name last_updated';
const tables = { rules: 'id action enabled expression description' };

/** Rulesets of zones and of the account have the same operations. */
export const rulesetFamily = family(
  'rulesets',
  'Rulesets of a zone or of the account, with their versions.',
  {
    list: { operation: 'rulesets.list', columns: summary },
    get: { operation: 'rulesets.get', tables },
    create: { operation: 'rulesets.create', tables },
    update: { operation: 'rulesets.update', tables, current: { operation: 'rulesets.get' } },
    delete: 'rulesets.delete',
    'add-rule': { operation: 'rulesets.addRule', tables },
    'update-rule': {
      operation: 'rulesets.editRule',
      tables,
      current: { operation: 'rulesets.get', within: 'rules' },
    },
    'delete-rule': { operation: 'rulesets.deleteRule', tables },
    entrypoint: { operation: 'rulesets.getEntryPoint', tables },
    'set-entrypoint': { operation: 'rulesets.updateEntryPoint', tables },
    versions: { operation: 'rulesets.listVersions', columns: summary },
    version: { operation: 'rulesets.getVersion', tables },
    'delete-version': 'rulesets.deleteVersion',
    diff: {
      operation: 'rulesets.diffVersions',
      tables: {
        fields: 'field before after',
        added: tables.rules,
        removed: tables.rules,
        changed: 'id fields',
        moved: 'id from to',
      },
    },
    restore: { operation: 'rulesets.restoreVersion', tables },
  },
  { account: 'accountRulesets' },
);
