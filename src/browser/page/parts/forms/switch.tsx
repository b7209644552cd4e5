import { Switch as BaseSwitch } from '@base-ui/react/switch';

interface SwitchProps {
  readonly label: string;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
  readonly isDisabled?: boolean;
}

export function Switch({ label, isOn, onChange, isDisabled = false }: SwitchProps) {
  return (
    <BaseSwitch.Root
      className="switch"
      aria-label={label}
      checked={isOn}
      onCheckedChange={onChange}
      disabled={isDisabled}
    >
      <BaseSwitch.Thumb className="switch-thumb" />
    </BaseSwitch.Root>
  );
}
