/** The effect of a rule on a request that it matches, by its phase. */
import type {
  AskParameters,
  ConfigurationParameters,
  ErrorParameters,
  RedirectParameters,
  RewriteParameters,
  RouteParameters,
  RulesetRule,
  ChangingPhase,
} from '#rulesets';
import type { Compiling } from '../programs/rule-program.ts';
import type { Act } from './change.ts';
import { compileConfiguration } from './configurations.ts';
import { compileError } from './errors.ts';
import { compileQuestion } from './questions.ts';
import { compileBulkRedirect, compileRedirect } from './redirects.ts';
import { compileRoute } from './routes.ts';
import { compileHeaderRewrite, compileUriRewrite } from './rewrites.ts';

type CompileAct = (parameters: unknown, options: Compiling['options']) => Act;

const compilers: Readonly<Record<ChangingPhase, CompileAct>> = {
  http_request_dynamic_redirect: (parameters, options) =>
    compileRedirect(parameters as RedirectParameters, options),
  http_request_transform: (parameters, options) =>
    compileUriRewrite(parameters as RewriteParameters, options),
  http_config_settings: (parameters) => compileConfiguration(parameters as ConfigurationParameters),
  http_request_origin: (parameters) => compileRoute(parameters as RouteParameters),
  gatehouse_ask: (parameters, options) => compileQuestion(parameters as AskParameters, options),
  http_request_redirect: (parameters, options) =>
    compileBulkRedirect(parameters as RedirectParameters, options),
  http_request_late_transform: (parameters, options) =>
    compileHeaderRewrite(parameters as RewriteParameters, options),
  http_custom_errors: (parameters) => compileError(parameters as ErrorParameters),
  http_response_headers_transform: (parameters, options) =>
    compileHeaderRewrite(parameters as RewriteParameters, options),
};

/**
 * Throws if the rule cannot be compiled: rules may have been stored before their phase was in force, and therefore
 * unchecked.
 */
export function compileAct(
  { action_parameters: parameters }: RulesetRule,
  phase: ChangingPhase,
  options: Compiling['options'],
): Act {
  if (parameters === undefined) throw new RangeError('it has no action_parameters');
  return compilers[phase](parameters, options);
}
