package dev.cerrojo.backoffice.platform;

/**
 * A user who was just made.
 *
 * @param password generated, and shown only now
 */
public record NewPlatformUser(PlatformUser user, String password) {}
