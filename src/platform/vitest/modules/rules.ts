import { completeRules } from '#workers';

/** Those of Wrangler; rules of a configuration are not known when Vite starts. */
export const defaultModuleRules = completeRules([]);
