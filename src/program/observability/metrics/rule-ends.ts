/**
 * Handles a rule in whose evaluation a thread or a process of the edge was terminated. The zone counts
 * (`Control.noteRuleEnd`), because all hosts and the next program need the count; here it is written to the log and the
 * metrics.
 */
import type { Log } from '#base';
import type { Control } from '#control';
import { Counter } from '#metrics';

export interface NamedEnd {
  readonly reason: string;
  readonly zone?: string | undefined;
  readonly rule?: string | undefined;
}

export interface RuleEndsOptions {
  readonly log: Log;
  /** Undefined until the control plane is open. */
  readonly control: () => Pick<Control, 'noteRuleEnd'> | undefined;
}

export class RuleEnds {
  readonly metric = new Counter(
    'gatehouse_edge_rules_out_of_force_total',
    'Rules taken out of force in a zone because their evaluation did not finish.',
  );
  readonly #options: RuleEndsOptions;

  constructor(options: RuleEndsOptions) {
    this.#options = options;
    this.metric.with({});
  }

  /** An end without a rule is not informative. */
  readonly note = ({ zone, rule, reason }: NamedEnd): void => {
    if (zone === undefined || rule === undefined) return;
    void this.#note(zone, rule, reason);
  };

  async #note(zone: string, rule: string, reason: string): Promise<void> {
    const { log, control } = this.#options;
    try {
      if ((await control()?.noteRuleEnd(zone, { rule, reason })) !== true) return;
      this.metric.with({}).add();
      log.error('a rule is out of force in its zone: its evaluation did not finish, twice; change the rule', {
        zone,
        rule,
        reason,
      });
    } catch (error) {
      log.error('could not record that the evaluation of a rule did not finish', { zone, rule, error });
    }
  }
}
