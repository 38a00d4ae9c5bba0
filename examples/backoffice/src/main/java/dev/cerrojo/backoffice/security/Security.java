package dev.cerrojo.backoffice.security;

import static org.springframework.http.HttpMethod.GET;
import static org.springframework.http.HttpMethod.POST;

import java.util.Optional;
import java.util.UUID;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.authorization.AuthorizationDecision;
import org.springframework.security.authorization.AuthorizationManager;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.core.Authentication;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.access.intercept.RequestAuthorizationContext;
import org.springframework.security.web.authentication.www.BasicAuthenticationFilter;

/** One list of routes and who may use them. What is not in it nobody may. */
@Configuration(proxyBeanMethods = false)
class Security {
    @Bean
    PasswordEncoder passwordEncoder() {
        return Password.ENCODER;
    }

    @Bean
    SecurityFilterChain routes(HttpSecurity http) throws Exception {
        return http.authorizeHttpRequests(rules -> rules.requestMatchers("/actuator/health", "/problems/*", "/error")
                        .permitAll()
                        .requestMatchers("/actuator/**", "/state/**", "/state")
                        .hasAuthority(Permission.MANAGE_USERS.name())
                        .requestMatchers("/v3/api-docs/**", "/v3/api-docs.yaml", "/swagger-ui/**", "/swagger-ui.html")
                        .authenticated()
                        .requestMatchers(POST, "/platform/users")
                        .hasAuthority(Permission.CREATE_PLATFORM_USERS.name())
                        .requestMatchers(GET, "/platform/**")
                        .hasAuthority(Permission.PLATFORM.name())
                        .requestMatchers("/platform/**")
                        .hasAuthority(Permission.MANAGE_USERS.name())
                        .requestMatchers(GET, "/organizations/{organization}/**")
                        .access(ownOrganization(Permission.TENANT))
                        .requestMatchers("/organizations/{organization}/**")
                        .access(ownOrganization(Permission.MANAGE_OWN_ORGANIZATION))
                        .anyRequest()
                        .denyAll())
                .httpBasic(Customizer.withDefaults())
                .sessionManagement(session -> session.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
                // There is no session to ride on; requests that another site makes a browser send are refused by
                // themselves.
                .csrf(AbstractHttpConfigurer::disable)
                .addFilterBefore(new CrossSiteFilter(), BasicAuthenticationFilter.class)
                .build();
    }

    private static AuthorizationManager<RequestAuthorizationContext> ownOrganization(Permission permission) {
        return (authentication, context) -> new AuthorizationDecision(
                may(authentication.get(), permission, context.getVariables().getOrDefault("organization", "")));
    }

    private static boolean may(Authentication authentication, Permission permission, String organization) {
        return authentication != null
                && authentication.getPrincipal() instanceof Account account
                && account.may().contains(permission)
                && id(organization).isPresent()
                && account.organization().equals(id(organization));
    }

    private static Optional<UUID> id(String text) {
        try {
            return Optional.of(UUID.fromString(text));
        } catch (IllegalArgumentException none) {
            return Optional.empty();
        }
    }
}
