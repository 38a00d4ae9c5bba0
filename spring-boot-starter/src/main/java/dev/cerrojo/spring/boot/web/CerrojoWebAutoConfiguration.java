package dev.cerrojo.spring.boot.web;

import jakarta.servlet.http.HttpServletRequest;
import java.security.Principal;
import java.util.List;
import java.util.Optional;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** Sets up keys, versions and problems in applications on Spring MVC. */
@AutoConfiguration
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass({WebMvcConfigurer.class, HttpServletRequest.class})
@ConditionalOnProperty(name = "cerrojo.enabled", matchIfMissing = true)
public class CerrojoWebAutoConfiguration {
    /** Made by Spring Boot. */
    public CerrojoWebAutoConfiguration() {}

    /** {@return who is authenticated} */
    @Bean
    @ConditionalOnMissingBean
    CallerIdentity cerrojoCaller() {
        return request -> Optional.ofNullable(request.getUserPrincipal()).map(Principal::getName);
    }

    /** {@return what makes Cerrojo's exceptions problems} */
    @Bean
    ProblemAdvice cerrojoProblems() {
        return new ProblemAdvice();
    }

    /** {@return what gives controllers keys and versions} */
    @Bean
    WebMvcConfigurer cerrojoArguments(CallerIdentity caller) {
        return new WebMvcConfigurer() {
            @Override
            public void addArgumentResolvers(List<HandlerMethodArgumentResolver> resolvers) {
                resolvers.add(new RequestKeyArgument(caller));
                resolvers.add(new ExpectedVersionArgument());
            }
        };
    }
}
