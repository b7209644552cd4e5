import { deepEqual, equal } from 'node:assert/strict';
import { networkInterfaces } from 'node:os';
import { test } from 'node:test';
import { Refusal } from '../../wire/refusal.ts';
import { AddressPolicy, type AddressPolicyOptions } from './address-policy.ts';

/** Whether the policy allows connections to an address, or a name that resolves to it, at a port. */
async function isAllowed(address: string, options: AddressPolicyOptions, port = 80): Promise<boolean> {
  const asAddress = await new AddressPolicy(options).findAddresses(address, port);
  const asName = await new AddressPolicy({ ...options, resolve: async () => [address] }).findAddresses(
    'a.example',
    port,
  );
  equal(asAddress instanceof Refusal, asName instanceof Refusal, address);
  return !(asAddress instanceof Refusal);
}

const publicAddresses = [
  '93.184.215.14',
  '8.8.8.8',
  '172.32.0.1',
  '2606:2800:21f:cb07::1',
  '64:ff9b::808:808',
  '192.88.98.1',
  '192.88.100.1',
  '2001:1::1',
  '2001:3::1',
  '2001:40::1',
  '2001:4860:4860::8888',
  '3ffe::1',
  '4000::1',
  '5f01::1',
  '2606:2800::5efe:808:808',
];

const privateAddresses = [
  '127.0.0.1',
  '127.8.9.1',
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '169.254.1.1',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '198.18.0.1',
  '240.0.0.1',
  '::',
  '::1',
  'fc00::1',
  'fd12::1',
  'fe80::1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::127.0.0.1',
  '64:ff9b::7f00:1',
  '2002:7f00:1::',
  '2002:c0a8:101::1',
  '192.88.99.1',
  '2001::1',
  '2001:0:808:808::f7f7:f7f7',
  '::ffff:0:8.8.8.8',
  '::ffff:0:808:808',
  '64:ff9b:1::808:808',
  '100:0:0:1::1',
  '2001:2::1',
  '2001:10::1',
  '2001:1f:ffff::1',
  '2001:20::1',
  '3fff::1',
  '3fff:fff::1',
  '5f00::1',
  '2606:2800::5efe:a00:1',
];

const metadataAddresses = [
  '169.254.169.254',
  '169.254.170.2',
  '100.100.100.200',
  '168.63.129.16',
  'fd00:ec2::254',
  'fd00:0ec2:0:0::254',
  '::ffff:169.254.169.254',
  '::ffff:a9fe:a9fe',
  '64:ff9b::a9fe:a9fe',
  '2002:a9fe:a9fe::',
  '::ffff:0:a9fe:a9fe',
  '64:ff9b:1::a9fe:a9fe',
  '2001:0:a9fe:a9fe::1',
  '2001:0:808:808::5601:5601',
  '2606:2800::200:5efe:a9fe:a9fe',
];

test('AddressPolicy allows public addresses', async () => {
  for (const address of publicAddresses) equal(await isAllowed(address, {}), true, address);
});

test('AddressPolicy allows private addresses only if the operator does', async () => {
  for (const address of privateAddresses) {
    equal(await isAllowed(address, {}), false, address);
    equal(await isAllowed(address, { allowPrivate: true }), true, address);
  }
});

test('AddressPolicy never allows metadata services and addresses without an owner', async () => {
  for (const address of [...metadataAddresses, '224.0.0.1', '255.255.255.255', 'ff02::1']) {
    equal(await isAllowed(address, { allowPrivate: true }), false, address);
  }
});

test('AddressPolicy never resolves the names of metadata services', async () => {
  const resolve = async (): Promise<string[]> => ['8.8.8.8'];
  for (const name of ['metadata.google.internal', 'METADATA.google.internal.', 'metadata', 'instance-data']) {
    const addresses = await new AddressPolicy({ allowPrivate: true, resolve }).findAddresses(name, 80);
    equal(addresses instanceof Refusal && addresses.code, 'origin_forbidden', name);
  }
});

test('AddressPolicy never allows our own listeners', async () => {
  const at = (address: string): AddressPolicyOptions => ({
    allowPrivate: true,
    forbidden: [{ address, port: 8787 }],
  });
  for (const address of ['127.0.0.1', '127.9.9.9', '::1', '0.0.0.0', '::', '::ffff:127.0.0.1']) {
    equal(await isAllowed(address, at('127.0.0.1'), 8787), false, address);
    equal(await isAllowed(address, at('0.0.0.0'), 8787), false, address);
    equal(await isAllowed(address, at('127.0.0.1'), 8788), true, address);
  }
  equal(await isAllowed('10.0.0.5', at('10.0.0.5'), 8787), false);
  equal(await isAllowed('10.0.0.6', at('10.0.0.5'), 8787), true);
  const own = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
  for (const { address } of own) equal(await isAllowed(address, at('::'), 8787), false, address);
});

test('AddressPolicy keeps those addresses of a name that are allowed', async () => {
  const policy = new AddressPolicy({
    resolve: async () => ['10.0.0.1', '8.8.8.8', 'not an address', '2606:2800::1'],
  });
  deepEqual(await policy.findAddresses('a.example', 80), ['8.8.8.8', '2606:2800::1']);
});

test('AddressPolicy reports a name that cannot be resolved', async () => {
  const failing = await new AddressPolicy({ resolve: () => Promise.reject(new Error('no')) }).findAddresses(
    'a',
    80,
  );
  const empty = await new AddressPolicy({ resolve: async () => [] }).findAddresses('a', 80);
  equal(failing instanceof Refusal && failing.code, 'origin_unresolved');
  equal(empty instanceof Refusal && empty.code, 'origin_unresolved');
});
