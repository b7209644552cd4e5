import { codes } from '../code.ts';

export const bundleCodes = codes({
  bundleNotPermitted: {
    code: 10801,
    status: 403,
    message:
      'bundle.api.not_permitted: the token has no permission to change {part}, which the bundle contains',
    advice: 'Remove the part from the bundle, or use a token with the permission to write it.',
  },
  bundleListMissing: {
    code: 10802,
    status: 400,
    message: 'bundle.api.list_missing: the account has no list {list} of the kind {kind}',
    advice: 'Create the list first; its items can come later.',
  },
  bundleFilterRepeated: {
    code: 10803,
    status: 400,
    message: 'bundle.api.filter_repeated: another filter of the bundle has the id {filter}',
    advice: 'Give each filter of the bundle its own id; the id only has to be unique within the bundle.',
  },
  bundleFilterMissing: {
    code: 10804,
    status: 400,
    message: 'bundle.api.filter_missing: the bundle has no filter {filter}',
    advice: 'Add the filter to `firewall.filters`, or correct the id.',
  },
  bundlePhaseRepeated: {
    code: 10805,
    status: 400,
    message: 'bundle.api.phase_repeated: the bundle has two rulesets of the phase {phase}',
    advice: 'A zone has one entry point for each phase: join their rules.',
  },
  bundlePartHidden: {
    code: 10821,
    status: 200,
    message: 'the bundle is without {part}: the token may not read it',
    advice: 'Comes as a message. For a complete bundle, use a token with more permissions.',
  },
  bundleRuleSkipped: {
    code: 10822,
    status: 200,
    message: 'firewall rule {rule} is not in the bundle: its filter {filter} was deleted',
    advice: 'Comes as a message. The rule matches nothing; delete it or give it a filter.',
  },
  bundleTooLarge: {
    code: 10823,
    status: 200,
    message: 'the bundle has {bytes} bytes, more than the {max} that one import takes',
    advice: 'Comes as a message. Import it in several calls with `mode=merge`, each with some of its parts.',
  },
  bundlePreviousSkipped: {
    code: 10824,
    status: 200,
    message:
      'the bundle has settings of the legacy managed rules, which the zone no longer has: they are ignored',
    advice: 'Comes as a message. A migration cannot be undone, not even by an import.',
  },
  bundleKept: {
    code: 10825,
    status: 200,
    message: '{what} stays as it is in the zone',
    advice:
      'Comes as a message with `mode=merge`, which only adds what is missing. Use `mode=replace` to overwrite.',
  },
  bundleRenamed: {
    code: 10826,
    status: 200,
    message: 'URL patterns of {from} now refer to {to}; expressions are imported unchanged',
    advice: 'Comes as a message. Check the expressions for host names.',
  },
  bundleManagedKept: {
    code: 10827,
    status: 200,
    message:
      'the zone has migrated and keeps its entry point of http_request_firewall_managed: the bundle was made before a migration, and {reason}',
    advice:
      'Comes as a message with `mode=replace`. To remove the managed rules from a migrated zone, change or delete the entry point itself.',
  },
  bundleManagedRemoved: {
    code: 10828,
    status: 200,
    message: 'the zone has no managed rules in force after this import: {reason}',
    advice:
      'Comes as a message with `mode=replace` of a bundle that was made after a migration. If this was not intended, restore a version of the entry point or deploy managed rulesets.',
  },
});
