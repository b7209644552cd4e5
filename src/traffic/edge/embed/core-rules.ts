/** The OWASP rules for embedded firewalls, which have no data directory to install them in. */
import { coreRulesFrom, readRuleDirectory } from '#seclang';
import { replaceCoreRules } from '#managed';

/**
 * Loads the OWASP Core Rule Set from an unpacked directory, for all firewalls of this process that are created or
 * updated from then on. Resolves to its version; throws with file and line if it cannot be used.
 */
export async function useCoreRules(directory: string): Promise<string> {
  const found = readRuleDirectory(directory);
  const rules = coreRulesFrom(found.version ?? 'unknown', found, new Date().toISOString());
  await replaceCoreRules(rules);
  return rules.version;
}
