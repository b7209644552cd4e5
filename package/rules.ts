/** `gatehouse/rules`: the expression language, and requests to run it on. */
export * from '#expressions';
export * from '#request';
export { formatIp, Ip, IpSet, type Network, parseIp, parseNetwork } from '#addresses';
export { bytesOf, textOf } from '#text';
