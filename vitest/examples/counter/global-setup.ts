export default function ({ provide }) {
  provide('greeting', 'from the setup');
}
