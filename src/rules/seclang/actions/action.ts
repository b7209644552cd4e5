/** An action changes the rule that contains it, when the file is read, or the request, when the rule matches. */
import type { Phase } from '../phase.ts';
import type { VariableTarget } from '../read/targets.ts';
import type { MacroScope, Template } from '../template.ts';
import type { RuleChoice } from './rule-choice.ts';

/** Run each time a value matches. */
export interface ValueAction {
  perform(scope: ActionScope): void;
  /** The variable that it writes, if any. */
  readonly writes?: { readonly collection: string; readonly name: Template };
  /** The rules that it removes, fully or partly. */
  readonly removes?: readonly RuleChoice[];
}

/** The request as actions see it. Names of collections are in upper case, keys in lower case. */
export interface ActionScope extends MacroScope {
  /** `undefined` removes it. */
  setVariable(collection: string, key: string, value: string | undefined): void;
  /** From now on, the collection is the record with this name, which outlives the request. */
  openCollection(collection: string, name: string): void;
  expireVariable(collection: string, key: string, seconds: number): void;
  readonly controls: Controls;
}

/** The properties that `ctl` changes for the rest of the request. */
export interface Controls {
  engine: 'on' | 'off' | 'detection-only';
  /** In upper case; `""` for the one that the content type selects. */
  bodyProcessor: string;
  forcesBodyVariable: boolean;
  readsRequestBody: boolean;
  readsResponseBody: boolean;
  removeRules(choice: RuleChoice): void;
  removeTarget(choice: RuleChoice, target: VariableTarget): void;
}

/** A rule while its actions are read; `undefined` if the phase's defaults apply. */
export interface UnfinishedRule {
  id: number | undefined;
  phase: Phase | undefined;
  message: string;
  logData: string;
  severity: string;
  tags: string[];
  version: string;
  status: number | undefined;
  disruption: 'pass' | 'deny' | 'drop' | 'block' | 'allow' | 'redirect' | undefined;
  location: string;
  allowScope: 'all' | 'phase' | 'request';
  isLogged: boolean | undefined;
  /** Names after `t:`; `none` drops those before it. */
  transformations: string[];
  /** Whether the rule contains `t:none`, so that the phase's defaults do not apply either. */
  dropsTransformations: boolean;
  captures: boolean;
  isMultiMatch: boolean;
  isChained: boolean;
  skip: number;
  skipAfter: string | undefined;
  /** The arguments of `setvar`, as written. */
  assignments: string[];
  actions: ValueAction[];
}

/** Reads one action into the rule. Throws a RangeError that describes the problem with the argument. */
export type ReadAction = (draft: UnfinishedRule, argument: string) => void;

export function createDraft(): UnfinishedRule {
  return {
    id: undefined,
    phase: undefined,
    message: '',
    logData: '',
    severity: '',
    tags: [],
    version: '',
    status: undefined,
    disruption: undefined,
    location: '',
    allowScope: 'all',
    isLogged: undefined,
    transformations: [],
    dropsTransformations: false,
    captures: false,
    isMultiMatch: false,
    isChained: false,
    skip: 0,
    skipAfter: undefined,
    assignments: [],
    actions: [],
  };
}
