/** Pasting or choosing the files of a certificate and its key. */
import { client } from '../../api/client.ts';
import { useZoneId } from '../../api/queries.ts';
import { TextField, type TextFieldProps } from '../../parts/forms/field.tsx';
import { WriteDialog } from '../../parts/forms/form.tsx';

export function CertificateUpload({ onClose }: { readonly onClose: () => void }) {
  const zone_id = useZoneId();
  return (
    <WriteDialog
      title="Upload a certificate"
      isWide
      action="Upload"
      initial={{ certificate: '', private_key: '' }}
      write={(body) => client.post('/zones/{zone_id}/custom_certificates', { zone_id, body })}
      done="The certificate is uploaded"
      failed="The certificate was not uploaded."
      isIncomplete={(files) => files.certificate.trim() === '' || files.private_key.trim() === ''}
      onClose={onClose}
    >
      {(bind) => (
        <>
          <PemField
            label="Certificate chain"
            hint="PEM, the certificate of the server first."
            {...bind('certificate')}
          />
          <PemField
            label="Private key"
            hint="PEM, not encrypted. It is stored and never shown."
            {...bind('private_key')}
          />
        </>
      )}
    </WriteDialog>
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
