/** Passwords as people and password managers make them, in the fields that forms have for them. */
import { buildUpload, places } from '../places.ts';
import { Random, seedFrom } from '../random.ts';
import type { HarmlessValue } from '../harmless-values.ts';

const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const digits = '0123456789';
const signs = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~';
const words =
  'correct horse battery staple cat echo id select union table script alert sleep admin root or and ls'.split(
    ' ',
  );

const names = [
  'password',
  'passwd',
  'pwd',
  'new_password',
  'user[password]',
  'passwordConfirm',
  'current-password',
];

function makePassword(random: Random): string {
  switch (random.below(5)) {
    case 0:
      return random.text(8 + random.below(56), letters + digits + signs);
    case 1:
      return random.text(10 + random.below(20), signs);
    case 2:
      return Array.from({ length: 2 + random.below(4) }, () => random.pick(words)).join(
        random.pick(['-', '.', ' ', ';', '|', '&', "'", '$', '&&', '||', '`', '"', '/', '--', '=']),
      );
    case 3:
      return `${random.pick(words)}${random.text(1 + random.below(4), signs)}${random.text(2, digits)}${random.text(1 + random.below(3), signs)}${random.pick(words)}`;
    default:
      return `${random.text(1 + random.below(3), signs)}${random.pick(words)}${random.text(1 + random.below(4), signs)}`;
  }
}

export function listPasswords(count: number): readonly HarmlessValue[] {
  const random = new Random(seedFrom('passwords'));
  const fitting = places.filter(({ name }) => name === 'form' || name === 'json' || name === 'multipart');
  return Array.from({ length: count }, (_, index) => {
    const value = makePassword(random);
    const name = random.pick(names);
    const request =
      index % 20 === 0
        ? buildUpload({ [name]: value }, { name: 'a.txt', type: 'text/plain', content: 'x' }, random)
        : random.pick(fitting).build({ value, name, random, transport: {} });
    return { kind: 'password', value, request };
  });
}
