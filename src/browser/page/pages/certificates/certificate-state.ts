/** The state of a certificate in its colour, and in a sentence. */
import type { Result } from '#client';
import type { Tone } from '../../parts/pill.tsx';

type CertificateState = Result<'certificates.list'>[number]['state'];

export const stateTones: Readonly<Record<CertificateState, Tone>> = {
  expired: 'bad',
  expiring: 'bad',
  failing: 'warn',
  pending: 'info',
  active: 'good',
};

export const stateSentences: Readonly<Record<CertificateState, string>> = {
  expired: 'Browsers reject it.',
  expiring: 'It should have been replaced by now.',
  failing: 'The last attempt failed; Gatehouse tries again automatically.',
  pending: 'Waiting for the certificate authority.',
  active: 'It is renewed automatically.',
};
