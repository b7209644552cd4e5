import { codes } from '../code.ts';

/** Why a zone cannot migrate: errors of the update, and messages of the check. */
export const migrationCodes = codes({
  migrationPhaseInvalid: {
    code: 10701,
    status: 400,
    message: "wafmigration.api.phase_two_invalid: phase_two must be 1, not '{value}'",
    advice:
      'Send `&phase_two=1` along with `waf_migration`. Leave it out to ask for the first phase, which is open to simple zones only.',
  },
  migrationNotEntitled: {
    code: 10702,
    status: 400,
    message: 'wafmigration.api.not_entitled: {reason}',
    advice:
      'Zones of the Free plan never had the legacy managed rules: deploy managed rulesets with an ordinary update. Below Enterprise there is no validation mode: send `waf_migration=pending`.',
  },
  migrationDone: {
    code: 10703,
    status: 400,
    message: 'wafmigration.api.already_migrated: the zone has already migrated from the legacy managed rules',
    advice: 'Nothing to do. Leave `waf_migration` out of further updates of the entry point.',
  },
  migrationUnderWay: {
    code: 10704,
    status: 400,
    message:
      'wafmigration.api.pending: the legacy managed rules are about to be turned off, there is no way back to validation',
    advice: 'Wait for the state `complete` and change the entry point by ordinary updates.',
  },
  migrationOverrides: {
    code: 10705,
    status: 400,
    message:
      'wafmigration.api.uri_overrides: the zone has {count} URI-based overrides of the legacy managed rules, which have no counterpart: {ids}',
    advice:
      'Delete each with DELETE /zones/{zone_id}/firewall/waf/overrides/{override_id}, paused ones as well.',
  },
  migrationTooManyRules: {
    code: 10706,
    status: 400,
    message:
      'wafmigration.api.too_many_rules: {count} firewall rules bypass the legacy managed rules, more than {max}',
    advice: 'Merge or delete rules until at most 200 have `waf` in `products`.',
  },
  migrationExpressionTooLong: {
    code: 10707,
    status: 400,
    message:
      'wafmigration.api.expression_too_long: the expression of firewall rule {rule} has {bytes} bytes of UTF-8, more than {max}',
    advice: 'Shorten the expression, for example with a list, or split the rule; `meta.id` is the rule.',
  },
  migrationPageRulesTooLong: {
    code: 10708,
    status: 400,
    message:
      'wafmigration.api.page_rules_too_long: the page rules that turn the firewall on, as one expression, have {characters} characters, more than {max}',
    advice:
      'Turn the firewall on for the whole zone and off where it is not wanted, or use fewer and shorter patterns.',
  },
  firstPhaseScores: {
    code: 10709,
    status: 400,
    message:
      'wafmigration.api.phase_one_owasp: the first phase of the migration is open only to zones whose firewall is off, or whose package OWASP has the sensitivity off',
    advice:
      'Send `phase_two=1` with the check, the configuration and the update: the second phase is open to every zone with the legacy managed rules.',
  },
  firstPhaseBypasses: {
    code: 10714,
    status: 400,
    message:
      'wafmigration.api.phase_one_bypass: the first phase of the migration is open only to zones without firewall rules that bypass the legacy managed rules: {rules}',
    advice: 'Send `phase_two=1`: the second phase carries these rules over.',
  },
  firstPhasePageRules: {
    code: 10715,
    status: 400,
    message:
      'wafmigration.api.phase_one_page_rules: the first phase of the migration is open only to zones without page rules that turn the firewall on or off: {rules}',
    advice: 'Send `phase_two=1`: the second phase carries these rules over.',
  },
  migrationUnprotected: {
    code: 10710,
    status: 400,
    message:
      'wafmigration.api.unprotected: the configuration would protect less than the legacy managed rules, which {previous}: {reasons}',
    advice:
      'Fix what the message names, so that a rule executes a managed ruleset that acts. To have no managed rules at all, set the zone setting `waf` to off first.',
  },
  migrationRulesMissing: {
    code: 10711,
    status: 400,
    message:
      'wafmigration.api.rules_missing: with waf_migration the body must have rules: the configuration that the zone moves to',
    advice:
      'Send what `GET /zones/{zone_id}/waf_migration/config?phase_two=1` answers as `result`, with your own changes.',
  },
  migrationWatchMisplaced: {
    code: 10712,
    status: 400,
    message:
      'wafmigration.api.watch_misplaced: watch=true goes only with waf_migration=validation, while the legacy managed rules protect the zone',
    advice:
      'Leave `watch` out. To watch the configuration, send it with `waf_migration=validation&phase_two=1&watch=true` (Enterprise plan).',
  },
  migrationNotValidating: {
    code: 10713,
    status: 400,
    message:
      'wafmigration.api.not_validating: both generations of managed rules are in force only in validation mode, and the zone is in the state {state}',
    advice:
      'Start validation mode with `waf_migration=validation&phase_two=1` (Enterprise plan). Before that, `gatehouse migrate rehearse` compares both on recorded traffic.',
  },
});

/** Messages of a call about the migration, and about settings that have no effect after it. */
export const migrationMessageCodes = codes({
  migrationWeak: {
    code: 10741,
    status: 200,
    message: 'the zone moves to managed rulesets that {does}: {reasons}',
    advice:
      'Comes as a message with the update that migrates. It is not an error, because the legacy managed rules protected no more; change the entry point for more protection.',
  },
  validationIdle: {
    code: 10746,
    status: 200,
    message:
      'validation mode has no new rule in force, so it compares nothing: {reasons}. Only the legacy managed rules act',
    advice:
      'Comes as a message with updates of the entry point in validation mode. Enable a rule that executes a managed ruleset, for example one that `GET /zones/{zone_id}/waf_migration/config?phase_two=1` proposes.',
  },
  overrideInTheWay: {
    code: 10747,
    status: 200,
    message:
      'URI-based overrides have no counterpart in managed rulesets: the zone cannot migrate until this one is deleted (10705)',
    advice:
      'Comes as a message when an override is created. A firewall rule with the action bypass and the product waf is carried over, and so are modes of rules of the package CloudFlare.',
  },
  managedWatched: {
    code: 10742,
    status: 200,
    message:
      'the rules of this entry point are watched: whatever their actions, matches are only logged. PUT with waf_migration=validation&phase_two=1 and without watch ends it',
    advice: 'Comes as a message while a zone in validation mode watches its managed rulesets.',
  },
  phaseTwoAlone: {
    code: 10743,
    status: 200,
    message:
      'phase_two has no effect without waf_migration: this was an ordinary update, the zone does not migrate',
    advice: 'Comes as a message. Send `waf_migration` as well if the zone is to migrate.',
  },
  bypassIdle: {
    code: 10744,
    status: 200,
    message:
      'the zone has migrated: firewall rules with waf in products do not bypass managed rulesets, and these do nothing about them: {rules}',
    advice:
      'Comes as a message. Write an exception: a skip rule at the top of the entry point of http_request_firewall_managed.',
  },
  pageRuleIdle: {
    code: 10745,
    status: 200,
    message:
      'the zone has migrated: page rules do not turn managed rulesets on or off, and these do nothing about them: {rules}',
    advice:
      'Comes as a message. Write an exception: a skip rule at the top of the entry point of http_request_firewall_managed.',
  },
});

/** What the new configuration drops or changes: messages of `config`. */
export const migrationLossCodes = codes({
  lossSwitchOff: {
    code: 10721,
    status: 200,
    message: 'setting waf is off: the managed rulesets come disabled; enable their rules to be protected',
    advice: 'After the migration no single switch turns everything on or off.',
  },
  lossIgnoredSwitch: {
    code: 10722,
    status: 200,
    message:
      'rules {rules} were in force even where the firewall was off; a disabled or skipped ruleset skips them, too',
    advice:
      'Use exceptions that name rulesets or rules instead of `"ruleset": "current"` where they should stay in force.',
  },
  lossRule: {
    code: 10723,
    status: 200,
    message: 'rule {rule} of package {package} (mode {mode}) has no replacement',
    advice: 'Write a custom rule if the protection is needed.',
  },
  lossScoreTable: {
    code: 10724,
    status: 200,
    message:
      'package OWASP with sensitivity {sensitivity} and action {action} becomes paranoia level {level}, score {threshold} and action {becomes}; the higher thresholds for requests of scripts are removed',
    advice: 'Watch the activity log; change the overrides of the ruleset if it acts too often or too rarely.',
  },
  lossScoreGroup: {
    code: 10725,
    status: 200,
    message: 'group {group} ({name}) of package OWASP is {mode}: group settings are not carried over',
    advice: 'Recreate it as an override by tag or by rule of ruleset 4814384a9e5d4991b9815dcfc25d2f1f.',
  },
  lossScoreRule: {
    code: 10726,
    status: 200,
    message: 'rule {rule} of package OWASP is {mode}: rule settings are not carried over',
    advice: 'Recreate it as a rule override of ruleset 4814384a9e5d4991b9815dcfc25d2f1f.',
  },
  lossScoresNotInstalled: {
    code: 10732,
    status: 200,
    message:
      'the OWASP Core Rule Set is not installed: ruleset 4814384a9e5d4991b9815dcfc25d2f1f scores nothing until it is',
    advice:
      'Install it with `gatehouse crs install`, before or after the migration. Until then the other managed rules protect the zone.',
  },
  lossDisableSecurity: {
    code: 10727,
    status: 200,
    message:
      'page rule {rule} ({pattern}): of disable_security, only its effect on managed rules is carried over, as an exception',
    advice:
      'The page rule stays. It only turned off managed rules here, so it has no effect after the migration.',
  },
  lossPageRuleDisabled: {
    code: 10728,
    status: 200,
    message: 'page rule {rule} ({pattern}) concerns the firewall and is disabled: it is not carried over',
    advice: 'To carry it over, activate it before you request the configuration.',
  },
  lossExceptionDisabled: {
    code: 10729,
    status: 200,
    message:
      '{what} would need an expression of {characters} characters to take stronger rules into account, more than {max}: its exception comes disabled',
    advice: 'Shorten it by hand and enable it, or leave the traffic that it matches protected.',
  },
  lossFilter: {
    code: 10730,
    status: 200,
    message: 'firewall rule {rule} has lost its filter and matches nothing: it is not carried over',
    advice: 'Nothing to do unless the filter was deleted by mistake.',
  },
  lossSkippedProduct: {
    code: 10731,
    status: 200,
    message:
      'rule {rule} of the phase http_request_firewall_custom skips the product waf, which means nothing to managed rulesets',
    advice:
      'Let it skip the phase http_request_firewall_managed instead: `"phases": ["http_request_firewall_managed"]`.',
  },
});
