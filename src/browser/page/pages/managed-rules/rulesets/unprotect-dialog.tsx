/** The question before the last managed ruleset that protects a site stops doing so. */
import { useZone } from '../../../api/queries.ts';
import { Confirm } from '../../../parts/forms/dialog.tsx';

interface UnprotectDialogProps {
  readonly action: string;
  readonly isBusy: boolean;
  readonly onClose: () => void;
  readonly onConfirm: () => void;
}

export function UnprotectDialog(props: UnprotectDialogProps) {
  const { name } = useZone();
  return (
    <Confirm title={`Leave ${name} without managed rulesets?`} {...props}>
      <p>
        This is the last managed ruleset that acts. Without it, none of them stops attacks on {name}: SQL
        injection, cross-site scripting, command injection, path traversal and exploits of known
        vulnerabilities reach the origin.
      </p>
      <p>
        Custom rules, rate limits, lists and access rules stay in force. The settings of the ruleset are kept.
      </p>
    </Confirm>
  );
}
