/** Exists so that configurations that name it are accepted. It inspects responses, which are not judged. */
import { contentUpdated, contentVersion, type ManagedRuleset } from '../managed-ruleset.ts';

export const sensitiveData: ManagedRuleset = {
  id: 'e22d83c647c64a3eae91b71b499d988e',
  name: 'Cloudflare Sensitive Data Detection',
  description: 'Listed for its id. Responses are not judged.',
  phase: 'http_response_firewall_managed',
  version: contentVersion,
  lastUpdated: contentUpdated,
  plans: ['enterprise'],
  rules: [],
};
