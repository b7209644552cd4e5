/** Pasting or choosing the files of a certificate and its key. */
import { useState } from 'react';
import { client } from '../../api/client.ts';
import { useZoneId } from '../../api/queries.ts';
import { TextField, type TextFieldProps } from '../../parts/forms/field.tsx';
import { FormDialog } from '../../parts/forms/form.tsx';
import { useWrite } from '../../parts/forms/use-write.ts';

export function CertificateUpload({ onClose }: { readonly onClose: () => void }) {
  const zone_id = useZoneId();
  const [certificate, setCertificate] = useState('');
  const [private_key, setKey] = useState('');
  const upload = useWrite({
    write: () =>
      client.post('/zones/{zone_id}/custom_certificates', { zone_id, body: { certificate, private_key } }),
    done: 'The certificate is uploaded',
    onDone: onClose,
  });
  return (
    <FormDialog
      title="Upload a certificate"
      isWide
      action="Upload"
      work={upload}
      failed="The certificate was not uploaded."
      isIncomplete={certificate.trim() === '' || private_key.trim() === ''}
      onSubmit={upload.mutate}
      onClose={onClose}
    >
      <PemField
        label="Certificate chain"
        hint="PEM, the certificate of the server first."
        value={certificate}
        onChange={setCertificate}
      />
      <PemField
        label="Private key"
        hint="PEM, not encrypted. It is stored and never shown."
        value={private_key}
        onChange={setKey}
      />
    </FormDialog>
  );
}

function PemField(props: Pick<TextFieldProps, 'label' | 'hint' | 'value' | 'onChange'>) {
  const read = async (file: File | undefined): Promise<void> => {
    if (file !== undefined) props.onChange(await file.text());
  };
  return (
    <div className="stack-close">
      <TextField {...props} rows={6} isCode />
      <input
        type="file"
        aria-label={`File of the ${props.label.toLowerCase()}`}
        accept=".pem,.crt,.cer,.key"
        onChange={(event) => void read(event.target.files?.[0])}
      />
    </div>
  );
}
