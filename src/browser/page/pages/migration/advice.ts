/** The remedies for each refusal and each loss, in terms of this page. */
export interface Advice {
  readonly title: string;
  readonly advice: string;
  /** The page of the zone with the remedy: the path after `/zones/{id}`. */
  readonly mendedAt?: '/firewall-rules' | '/page-rules' | '/managed-rules' | '/settings';
}

const secondPhase = 'Reload this page: it asks for the second phase, which is open to every site.';

const refusals: Readonly<Record<number, Advice>> = {
  10702: {
    title: 'The plan does not include this step',
    advice:
      'Sites on the Free plan never had the previous managed rules and have nothing to update: deploy managed rulesets directly. Validation mode needs the Enterprise plan.',
    mendedAt: '/managed-rules',
  },
  10703: {
    title: 'The site has been updated already',
    advice: 'Nothing is left to do. Change the managed rulesets under Managed rules.',
    mendedAt: '/managed-rules',
  },
  10704: {
    title: 'The previous version is being turned off',
    advice: 'There is no way back to validation mode. Wait until the update is complete.',
  },
  10705: {
    title: 'URI-based overrides have no counterpart',
    advice: 'Delete each of them, paused ones too. Exceptions for a URL can be written after the update.',
  },
  10706: {
    title: 'Too many firewall rules bypass the managed rules',
    advice: 'Merge rules, or delete those that are not needed, until at most 200 bypass managed rules.',
    mendedAt: '/firewall-rules',
  },
  10707: {
    title: 'The expression of a firewall rule is too long',
    advice: 'Shorten the expression, for example with a list of addresses, or split the rule.',
    mendedAt: '/firewall-rules',
  },
  10708: {
    title: 'The page rules that turn the firewall on are too long together',
    advice: 'Turn the firewall on for the whole site and off where it is not wanted, or use fewer patterns.',
    mendedAt: '/page-rules',
  },
  10709: {
    title: 'The first phase is not open to sites with the OWASP package',
    advice: secondPhase,
  },
  10710: {
    title: 'The new rules would protect less than the previous ones',
    advice:
      'Change what the message names until an enabled rule executes a managed ruleset that blocks or challenges. To have no managed rules at all, turn the setting waf off first.',
  },
  10711: {
    title: 'The configuration has no rules',
    advice: 'Start again from the proposal: the site needs rules to move to.',
  },
  10714: {
    title: 'The first phase is not open to sites with firewall rules that bypass managed rules',
    advice: secondPhase,
  },
  10715: {
    title: 'The first phase is not open to sites with page rules that turn the firewall on or off',
    advice: secondPhase,
  },
  10713: {
    title: 'The site is not in validation mode',
    advice: 'Reload this page: it shows how far the site is.',
  },
  10712: {
    title: 'Only logging is possible in validation mode only',
    advice: 'Deploy in validation mode first; the last step always lets the rules act.',
  },
};

const remarks: Readonly<Record<number, Advice>> = {
  10746: {
    title: 'No new rule is in force',
    advice: 'Enable a rule below that executes a managed ruleset; until then there is nothing to compare.',
  },
};

const losses: Readonly<Record<number, Advice>> = {
  10721: {
    title: 'Managed rules are off',
    advice: 'There is no single switch after the update. Enable the rules below to be protected.',
  },
  10722: {
    title: 'Some rules were in force even where the firewall was off',
    advice: 'To keep them in force, let an exception name rulesets or rules instead of everything after it.',
  },
  10723: { title: 'A rule has no replacement', advice: 'Write a custom rule if you need its protection.' },
  10724: {
    title: 'OWASP sensitivity becomes a paranoia level and a score',
    advice:
      'Watch the activity log, and change level, score or action below if it acts too often or too rarely.',
  },
  10725: {
    title: 'The setting of an OWASP group is lost',
    advice: 'Recreate it as an override of the OWASP ruleset, by tag or by rule.',
  },
  10726: {
    title: 'The setting of an OWASP rule is lost',
    advice: 'Recreate it as an override of the OWASP ruleset below.',
  },
  11011: {
    title: 'OWASP scores are only logged unless a detector confirms an attack',
    advice:
      'The edge setting unconfirmed_scores is log, and the update does not change it. Choose there whether scores act.',
    mendedAt: '/settings',
  },
  10732: {
    title: 'The OWASP Core Rule Set is not installed',
    advice:
      'Run gatehouse crs install on the server, before or after the update. Until then OWASP scores nothing.',
  },
  10727: {
    title: 'Only a part of disable_security becomes an exception',
    advice: 'Nothing to do: the page rule stays, and has no effect on this site after the update.',
  },
  10728: {
    title: 'A disabled page rule is left behind',
    advice: 'Activate it first if you need it, then come back to this page.',
    mendedAt: '/page-rules',
  },
  10729: {
    title: 'An exception is too long and comes disabled',
    advice: 'Shorten and enable it below, or keep that traffic protected.',
  },
  10730: {
    title: 'A firewall rule without its filter is left behind',
    advice: 'Nothing to do: it matches nothing, unless its filter was deleted by mistake.',
    mendedAt: '/firewall-rules',
  },
  10731: {
    title: 'A custom rule skips the previous version only',
    advice: 'Let it skip the phase http_request_firewall_managed.',
  },
};

export function findAdvice(code: number): Advice | undefined {
  return refusals[code] ?? losses[code] ?? remarks[code];
}

export function isLoss(code: number): boolean {
  return code in losses;
}

/** Removes the machine-readable prefix, and adds punctuation. */
export function toSentence(message: string): string {
  const text = message.replace(/^wafmigration\.api\.\w+: /, '');
  return text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?:]$/.test(text) ? '' : '.');
}
