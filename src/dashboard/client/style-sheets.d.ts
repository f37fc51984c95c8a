// Style sheets are the bundler's; to the compiler they are nothing.
declare module "*.css";
