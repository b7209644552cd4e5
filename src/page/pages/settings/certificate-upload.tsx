/** Pasting or choosing the files of a certificate and its key. */
import { useMutation } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { describeError } from '../../api/api-error.ts';
import { client } from '../../api/client.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Field, TextInput } from '../../parts/field.tsx';
import { tell } from '../../parts/toasts.tsx';

interface UploadProps {
  readonly zoneId: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onUpload: () => void;
}

export function CertificateUpload({ isOpen, ...others }: UploadProps) {
  return (
    <Dialog title="Upload a certificate" isOpen={isOpen} onClose={others.onClose} isWide>
      <Content {...others} />
    </Dialog>
  );
}

function Content({ zoneId, onClose, onUpload }: Omit<UploadProps, 'isOpen'>) {
  const [certificate, setCertificate] = useState('');
  const [key, setKey] = useState('');
  const upload = useMutation({
    mutationFn: () =>
      client.post('/zones/{zone_id}/custom_certificates', {
        zone_id: zoneId,
        body: { certificate, private_key: key },
      }),
    onSuccess() {
      tell('The certificate is uploaded');
      onUpload();
      onClose();
    },
  });
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    upload.mutate();
  };
  return (
    <form className="stack" onSubmit={submit}>
      <PemField
        label="Certificate chain"
        hint="PEM, the certificate of the server first."
        value={certificate}
        onChange={setCertificate}
      />
      <PemField
        label="Private key"
        hint="PEM, not encrypted. It is stored and never shown."
        value={key}
        onChange={setKey}
      />
      {upload.isError && (
        <p className="form-error" role="alert">
          The certificate was not uploaded. {describeError(upload.error)}
        </p>
      )}
      <div className="dialog-actions">
        <Button onClick={onClose}>Cancel</Button>
        <Button
          type="submit"
          look="primary"
          isBusy={upload.isPending}
          disabled={certificate.trim() === '' || key.trim() === ''}
        >
          Upload
        </Button>
      </div>
    </form>
  );
}

interface PemProps {
  readonly label: string;
  readonly hint: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function PemField({ label, hint, value, onChange }: PemProps) {
  const read = async (file: File | undefined): Promise<void> => {
    if (file !== undefined) onChange(await file.text());
  };
  return (
    <div className="settings-pem">
      <Field label={label} hint={hint}>
        <TextInput
          render={<textarea rows={6} spellCheck={false} />}
          className="input mono"
          value={value}
          autoComplete="off"
          onChange={(event) => onChange(event.target.value)}
        />
      </Field>
      <input
        type="file"
        aria-label={`File of the ${label.toLowerCase()}`}
        accept=".pem,.crt,.cer,.key"
        onChange={(event) => void read(event.target.files?.[0])}
      />
    </div>
  );
}
