import { codes } from '../code.ts';

export const rulesetCodes = codes({
  entryPointNotFound: {
    code: 10003,
    status: 404,
    message: 'could not find entrypoint ruleset in the {phase} phase',
    advice: 'The phase has no rules. PUT to the same path creates its entry point.',
  },
  rulesetNotFound: {
    code: 20931,
    status: 404,
    message: 'could not find ruleset {ruleset}{where}',
    advice: 'List the rulesets with GET …/rulesets.',
  },
  rulesetRuleNotFound: {
    code: 20932,
    status: 404,
    message: 'could not find rule {rule} in ruleset {ruleset}',
    advice: 'List the rules with GET …/rulesets/{ruleset_id}.',
  },
  rulesetVersionNotFound: {
    code: 20933,
    status: 404,
    message: 'could not find version {version} of ruleset {ruleset}',
    advice:
      'List the versions with GET …/rulesets/{ruleset_id}/versions. The oldest ones of a long history are not kept.',
  },
  phaseUnknown: {
    code: 20934,
    status: 400,
    message: 'rulesets.api.unknown_phase: the {level} has no phase {phase}{guess}',
    advice: 'Check the name of the phase; phases for network packets exist only at the account level.',
  },
  rulesetReadOnly: {
    code: 20935,
    status: 400,
    message: 'rulesets.api.read_only: managed ruleset {ruleset} cannot be changed or deleted',
    advice: 'Deploy it with an `execute` rule and change what it does with `action_parameters.overrides`.',
  },
  rulesetInUse: {
    code: 20936,
    status: 400,
    message: 'rulesets.api.in_use: rule {rule} of ruleset {executor} executes ruleset {ruleset}',
    advice: 'Delete the rule first; `meta.id` is the ruleset it is in.',
  },
  rulesetVersionCurrent: {
    code: 20937,
    status: 400,
    message: 'rulesets.api.current_version: version {version} of ruleset {ruleset} is the current one',
    advice: 'Restore another version first, or delete the ruleset.',
  },
  rulesetQuotaExceeded: {
    code: 20938,
    status: 400,
    message: 'rulesets.api.quota_exceeded: an account can have {max} custom rulesets in the phase {phase}',
    advice: 'Delete a custom ruleset that nothing executes, or add rules to an existing one.',
  },
  rulesetTooLarge: {
    code: 20939,
    status: 400,
    message: 'rulesets.api.too_large: the ruleset would have {bytes} bytes of JSON, more than {max}',
    advice: 'Use lists instead of long expressions, or fewer rules.',
  },
  rulesetsTooLarge: {
    code: 20944,
    status: 400,
    message:
      'rulesets.api.all_too_large: all rulesets of the {level} together would have {bytes} bytes of JSON, more than {max}',
    advice: 'Use lists instead of long expressions, or delete rulesets that are not used.',
  },
  rulesetBeforeMigration: {
    code: 20940,
    status: 400,
    message:
      'rulesets.api.before_migration: rule {rule} is enabled, and the zone still has the legacy managed rules',
    advice:
      'Send every rule with `"enabled": false`, or migrate the zone in the same call with `?waf_migration=pending&phase_two=1`. On the Enterprise plan both can be in force.',
  },
  migrationElsewhere: {
    code: 20941,
    status: 400,
    message:
      'rulesets.api.migration_elsewhere: waf_migration has no meaning {where}, only in PUT /zones/{zone_id}/rulesets/phases/http_request_firewall_managed/entrypoint',
    advice: 'Leave the parameter out, or PUT to the entry point of http_request_firewall_managed.',
  },
  wafMigrationInvalid: {
    code: 20942,
    status: 400,
    message:
      "'{value}' is not a valid value for waf_migration because it must be one of pending, 1, validation, 2",
    advice:
      'Send `pending` to migrate, or on the Enterprise plan `validation` to try both generations at once.',
  },
  rulesetNotManaged: {
    code: 20943,
    status: 400,
    message: 'rulesets.api.not_managed: ruleset {ruleset} is not a managed one, and its rules have no tags',
    advice: 'Get the version without `by_tag`.',
  },
  rulesVanish: {
    code: 20951,
    status: 200,
    message:
      '{count} of the {total} rules of version {version} are not in the next one: {rules}. PUT keeps the rules whose id, ref or content it sends; POST …/rulesets/{ruleset}/versions/{version}/restore brings all of them back',
    advice:
      'Comes as a message, not as an error, with an operation that replaces the rules of a ruleset. Nothing to do if that was intended.',
  },
  rulesetNameKept: {
    code: 20953,
    status: 200,
    message: "the entry point keeps its name '{name}': '{sent}' is ignored",
    advice:
      'Comes as a message, not as an error: the name of a ruleset cannot change. Delete the entry point and create it again if the name matters.',
  },
  skipIdle: {
    code: 20954,
    status: 200,
    message:
      'rule {place} ({rule}) does not skip {targets}: no rule after it executes that, and a skip acts only on what comes after it',
    advice:
      'Comes as a message, not as an error. Move the rule before the execute rule that it should affect.',
  },
  skipNeverActs: {
    code: 20945,
    status: 400,
    message:
      'rulesets.api.skip_never_acts: rule {place} would never act: a skip acts only on what comes after it, and rule {late} ({id}) executes {targets} before it',
    advice:
      'Put the skip before the execute rule: `"position": {"before": "…"}` with the id in parentheses, or earlier in the list of a PUT.',
  },
  rulesetNotInstalled: {
    code: 20955,
    status: 200,
    message:
      'rule {place} ({rule}) executes ruleset {ruleset}, whose rules are not installed: it does nothing until they are',
    advice:
      'Comes as a message, not as an error. Install the OWASP Core Rule Set with `gatehouse crs install`.',
  },
  configurationIdle: {
    code: 20956,
    status: 200,
    message: 'rule {place} ({rule}) sets {settings}: it is stored but has no effect, because {reason}',
    advice:
      'Comes as a message, not as an error. docs/rules/changing-requests.md lists the settings of set_config that have an effect.',
  },
  phaseNotEvaluated: {
    code: 20952,
    status: 200,
    message: 'rulesets of {phases} are stored and not evaluated',
    advice:
      'Comes as a message, not as an error. The rules that judge requests (http_request_firewall_custom, http_ratelimit, http_request_firewall_managed) and those of a zone that change requests and answers are in force; docs/rules/changing-requests.md lists them.',
  },
});
