import { completeRules } from '#workers';

/** Wrangler's rules; those of a configuration are not known when Vite starts. */
export const defaultModuleRules = completeRules([]);
